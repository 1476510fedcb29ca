import { Argument, Command } from 'commander'
import type { ProgramFor } from '../command-entry.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Shell, shells } from './shell.ts'

export function completionCommand(terminal: Terminal, programFor: ProgramFor): Command {
  const words = new Command('words')
    .description('Print the completions of a command line. The completion script of a shell calls this.')
    .argument('[words...]', 'the words behind tenant; the last one is not finished')
    .action(async (given: readonly string[]) => (await import('./words.ts')).printWords(given, programFor, terminal))
  return new Command('completion')
    .description('Print the completion script of a shell.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: Shell) => (await import('./scripts.ts')).printScript(shell, terminal))
    .addCommand(words, { hidden: true })
}

const examples = `
Examples:
  source <(tenant completion bash)                                      for this shell
  tenant completion bash > ~/.local/share/bash-completion/completions/tenant
  tenant completion zsh > "\${fpath[1]}/_tenant"
  tenant completion fish > ~/.config/fish/completions/tenant.fish
`
