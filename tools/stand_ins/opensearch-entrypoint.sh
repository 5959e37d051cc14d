#!/bin/bash
# Passes variables such as `discovery.type` on as settings, as the entry point of the real image does.
options=(-E network.host=0.0.0.0)
while IFS='=' read -r name value; do
  case $name in
    plugins.security.*) ;;
    [a-z]*.*) options+=(-E "$name=$value") ;;
  esac
done < <(env)
exec bin/opensearch "${options[@]}"
