"""Run the tasks that users give to Rostrum, such as a search or a check of quotations. Each task is called a
job and has a folder.
"""
