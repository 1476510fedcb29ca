import type { Command } from 'commander'

export function addHostOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig of the host cluster (default: as kubectl finds it)')
    .option('--context <name>', 'the context of the host cluster (default: the current one)')
}
