import { Option } from 'commander'

/** `--platform`, for every command that talks to a platform. */
export function platformOption(): Option {
  return new Option('--platform <name>', 'the platform to use (default: the current one)')
}
