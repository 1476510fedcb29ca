import { parseArgs } from 'node:util'

export interface SimulationOptions {
  /** The built program that runs the platform. */
  readonly cli: string
  /** How many tenants there are at each step, from few to all. */
  readonly sizes: readonly number[]
  readonly replicas: number
  /** How long idle links are measured. */
  readonly idleSeconds: number
  /** How long to wait until everything has settled. */
  readonly settleMs: number
  /** Processes that hold tenants; 0: this one does. */
  readonly holders: number
  /** One in this many tenants is active: a caller sends it one request per second. */
  readonly activeShare: number
}

export const usage =
  'npm run simulate -- [--tenants 2000] [--replicas 2] [--idle-seconds 60] [--holders 1] [--active-percent 1]\n'

export function readSimulationOptions(args: readonly string[]): SimulationOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenants: { type: 'string', default: '2000' },
      replicas: { type: 'string', default: '2' },
      'idle-seconds': { type: 'string', default: '60' },
      holders: { type: 'string', default: '1' },
      'active-percent': { type: 'string', default: '1' },
    },
  })
  const tenants = counted('--tenants', values.tenants)
  return {
    cli: process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js',
    sizes: [Math.ceil(tenants / 4), Math.ceil(tenants / 2), tenants],
    replicas: counted('--replicas', values.replicas),
    idleSeconds: counted('--idle-seconds', values['idle-seconds']),
    settleMs: 3_000,
    holders: counted('--holders', values.holders),
    activeShare: counted('--active-percent', values['active-percent']) / 100,
  }
}

function counted(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`${flag} takes a number greater than 0, not ${JSON.stringify(text)}`)
}
