"""Make training pairs from articles and the transcripts that they quote: the text around a quotation, and its
words in the transcript.
"""
