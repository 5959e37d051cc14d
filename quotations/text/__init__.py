"""Read texts: sentences, words, numbers, stems, quotation marks, and the quotations of a text."""
