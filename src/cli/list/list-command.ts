import { Command } from 'commander'
import { platformOption } from '../arguments/platform-option.ts'
import { projectOption } from '../arguments/project-option.ts'
import { outputOption } from '../output/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ListCommandOptions } from './options.ts'

export function listTenantsCommand(terminal: Terminal): Command {
  return new Command('list')
    .alias('ls')
    .description('List the virtual clusters of a project.')
    .addOption(projectOption())
    .option('-A, --all-projects', 'list those of all projects')
    .addOption(platformOption())
    .addOption(outputOption(['wide']))
    .addHelpText('after', '\nExamples:\n  tenant list -p shop\n  tenant list -A -o wide\n  tenant list -o name\n')
    .action(async (flags: ListCommandOptions) => (await import('./list.ts')).listTenants(flags, terminal))
}
