import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Shell } from './shell.ts'

/** All of them call `tenant completion words`, and fall back to files if it returns nothing. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_tenant() {
  local words
  words=$(tenant completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tenant tenant
`,
  zsh: `#compdef tenant
_tenant() {
  local -a found
  found=(\${(f)"$(tenant completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
if [ "$funcstack[1]" = "_tenant" ]; then _tenant "$@"; else compdef _tenant tenant; fi
`,
  fish: `function __tenant_words
  set -l words (commandline -opc) (commandline -ct)
  tenant completion words -- $words[2..-1] 2>/dev/null
end
complete -c tenant -a '(__tenant_words)'
`,
}

export function printScript(shell: Shell, terminal: Terminal): void {
  print(terminal, scripts[shell])
}
