import { Agent } from 'undici'

type Connect = Exclude<Agent.Options['connect'], undefined | ((...given: never[]) => unknown)>

/** Waits for a connection without a limit: undici gives up after 10 s, and a busy machine takes longer. */
export function patientAgent(connect: Connect, options: Agent.Options = {}): Agent {
  return new Agent({ ...options, connect: { ...connect, timeout: 0 } })
}
