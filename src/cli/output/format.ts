import { Option } from 'commander'

export type OutputFormat = 'table' | 'wide' | 'json' | 'yaml' | 'name'

const formats: readonly OutputFormat[] = ['table', 'json', 'yaml', 'name']

/** `-o`, for every command that prints objects. */
export function outputOption(more: readonly OutputFormat[] = []): Option {
  return new Option('-o, --output <format>', 'how to print it').choices([...formats, ...more]).default('table')
}
