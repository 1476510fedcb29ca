import { Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import type { ConfigShowOptions, ValidateOptions } from './options.ts'

/** The implementations are loaded when a command runs. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .description('Check and show the configuration of a tenant.')
    .addCommand(validateCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(schemaCommand(terminal))
}

function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description('Check a tenant.yaml: its fields, and the paths and expressions of its patches.')
    .addOption(fileOption())
    .addOption(new Option('-o, --output <format>', 'how to print problems').choices(['text', 'json']).default('text'))
    .addHelpText('after', validateExamples)
    .action(async (flags: ValidateOptions) => (await import('./validate.ts')).validate(flags, terminal))
}

const validateExamples = `
Exits with 0 if the file is valid, even with warnings, and with 1 otherwise.

Examples:
  tenant config validate -f tenant.yaml
  tenant config validate -f - < tenant.yaml
  tenant config validate -f tenant.yaml -o json | jq -r '.problems[].message'
`

function showCommand(terminal: Terminal): Command {
  return new Command('show')
    .description('Print a tenant.yaml with all defaults, as the tenant and its expressions see it.')
    .addOption(fileOption())
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', showExamples)
    .action(async (flags: ConfigShowOptions) => (await import('./show.ts')).show(flags, terminal))
}

const showExamples = `
Examples:
  tenant config show -f tenant.yaml
  echo '{}' | tenant config show -f - -o json      the defaults
`

function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('Print the JSON Schema of tenant.yaml, for editors.')
    .addHelpText('after', schemaExamples)
    .action(async () => (await import('./schema.ts')).printSchema(terminal))
}

const schemaExamples = `
Examples:
  tenant config schema > tenant.schema.json
  # then, as the first line of a tenant.yaml:
  # yaml-language-server: $schema=tenant.schema.json
`

function fileOption(): Option {
  return new Option('-f, --file <file>', 'the configuration; - reads it from standard input').default('tenant.yaml')
}
