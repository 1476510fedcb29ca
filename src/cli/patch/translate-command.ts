import { Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { type TranslateOptions, type WithoutHostNamespace, withHostNamespace } from './options.ts'

/** The implementation is loaded when the command runs. */
export function translateCommand(terminal: Terminal): Command {
  return new Command('translate')
    .description(
      "Print the name of a tenant's object on the host, or the tenant's object behind an object of the host.",
    )
    .argument('[name]', 'the name in the virtual cluster')
    .option('-n, --namespace <namespace>', 'its namespace in the virtual cluster', 'default')
    .option('--tenant <name>', 'the name of the tenant', 'demo')
    .option('--host-namespace <namespace>', 'the namespace of the tenant on the host (default: tenant-TENANT)')
    .option('-f, --file <file>', 'a tenant.yaml, if it maps namespaces or names cluster domains')
    .option('--reverse <file>', 'an object of the host, YAML or JSON; - reads standard input')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json', 'name']).default('text'))
    .addHelpText('after', examples)
    .action(async (name: string | undefined, flags: WithoutHostNamespace<TranslateOptions>) =>
      (await import('./translate.ts')).translate(name, withHostNamespace(flags), terminal),
    )
}

const examples = `
A name on the host ends with a hash, from which the original name cannot be computed, so --reverse reads the marks on the object.

Examples:
  tenant translate web -n default --tenant demo
  kubectl --context host -n tenant-demo get endpoints $(tenant translate web -o name)
  kubectl --context host get service NAME -o yaml | tenant translate --reverse -
`
