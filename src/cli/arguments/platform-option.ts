import { Option } from 'commander'

/** `--platform`, as every command has it that talks to one. */
export function platformOption(): Option {
  return new Option('--platform <name>', 'the platform to talk to (default: the current one)')
}
