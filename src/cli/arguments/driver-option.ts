import { Option } from 'commander'

export type DriverName = 'kubernetes' | 'local'

const names: readonly DriverName[] = ['kubernetes', 'local']

export function driverOption(): Option {
  return new Option(
    '--driver <driver>',
    'where it runs (default: local while tenant up is the current platform)',
  ).choices(names)
}
