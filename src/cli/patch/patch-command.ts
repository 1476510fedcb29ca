import { Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { type PatchTestOptions, type WithoutHostNamespace, withHostNamespace } from './options.ts'

/** The implementations are loaded when a command runs. */
export function patchCommand(terminal: Terminal): Command {
  return new Command('patch').description('Try out the patches of a tenant.').addCommand(testCommand(terminal))
}

function testCommand(terminal: Terminal): Command {
  return new Command('test')
    .description(
      'Show how the patches of a tenant.yaml change an object on the way to the host and back. No cluster is needed.',
    )
    .option('-f, --file <file>', 'the configuration', 'tenant.yaml')
    .requiredOption(
      '--resource <name>',
      'the kind whose patches are tested, as named under sync.toHost: endpoints, configMaps, widgets.example.com',
    )
    .requiredOption('--object <file>', 'an object of the virtual cluster, YAML or JSON; - reads standard input')
    .option('--host-object <file>', 'the object on the host (default: the result of the patches for --object)')
    .option('--from-host', 'test the patches of sync.fromHost instead')
    .option('--tenant <name>', 'the name of the tenant, for host names and context.vcluster', 'demo')
    .option('--host-namespace <namespace>', 'the namespace of the tenant on the host (default: tenant-TENANT)')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (flags: WithoutHostNamespace<PatchTestOptions>) =>
      (await import('./patch-test.ts')).patchTest(withHostNamespace(flags), terminal),
    )
}

const examples = `
Exits with 1 if a patch fails, or if an expression and its reverseExpression do not cancel out.

Examples:
  tenant patch test --resource endpoints --object web.yaml
  tenant patch test -f tenant.yaml --resource secrets --object secret.yaml --host-object host-secret.yaml
  kubectl get endpoints web -o yaml | tenant patch test --resource endpoints --object -
  tenant patch test --resource endpoints --object web.yaml -o json | jq '.toHost.patches[] | select(.notFound > 0)'
`
