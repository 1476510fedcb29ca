import { Option } from 'commander'
import { pause } from '../base/pause.ts'
import type { ApiServer } from '../server/contract.ts'
import { secondsArgument } from './arguments/duration-argument.ts'

/** Set by a variable in a Pod: an image of the previous version does not know the option. */
const shutdownDelayVariable = 'TENANT_SHUTDOWN_DELAY'

/**
 * For each of several replicas: until kube-proxy sends it no more requests. A single one would only take longer to
 * stop.
 */
export function shutdownDelayOf(replicas: number): readonly { readonly name: string; readonly value: string }[] {
  return replicas > 1 ? [{ name: shutdownDelayVariable, value: '5s' }] : []
}

export interface ShutdownDelayFlags {
  /** Seconds. */
  readonly shutdownDelay: number
}

export function shutdownDelayOption(): Option {
  return new Option(
    '--shutdown-delay <duration>',
    'how long the process still accepts requests after it is told to stop, until load balancers use other replicas: 5s',
  )
    .env(shutdownDelayVariable)
    .argParser(secondsArgument)
    .default(0, '0s')
}

/** Continues to serve for this time, while `/readyz` reports the shutdown. */
export async function delayShutdown(
  server: Pick<ApiServer, 'drain'> | undefined,
  { shutdownDelay }: ShutdownDelayFlags,
): Promise<void> {
  if (shutdownDelay === 0) return
  server?.drain()
  await pause(shutdownDelay * 1000)
}
