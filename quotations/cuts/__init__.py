"""Find what a quotation loses with the words of its sentence that it leaves out."""
