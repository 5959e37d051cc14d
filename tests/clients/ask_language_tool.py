"""Two clients of LanguageTool: what they underline of a text, and what they put in its place."""

import json
import subprocess
import sys
from pathlib import Path

import language_tool_python

address, text = sys.argv[1:]
with language_tool_python.LanguageTool("en-US", remote_server=address) as tool:
    for match in tool.check(text):
        marked = text[match.offset : match.offset + match.error_length]
        sys.stdout.write(
            json.dumps({"rule": match.rule_id, "marked": marked, "suggestions": match.replacements}) + "\n"
        )
program = Path(sys.executable).with_name("pylanguagetool")
command = [program, "--no-color", "--api-url", f"{address}/v2/", "--lang", "en-US"]
ran = subprocess.run(command, input=text, capture_output=True, text=True)
sys.stdout.write(json.dumps({"shown": ran.stdout}) + "\n")
