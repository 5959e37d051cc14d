"""Choose and check the words of a paragraph that can be printed between quotation marks."""
