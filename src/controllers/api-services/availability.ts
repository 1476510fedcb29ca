import { localAvailability } from '../../api/apiregistration/api-service.ts'
import type { APIService, APIServiceCondition } from '../../api/types/apiregistration-v1.ts'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'

/** Whether an API is available, and why. */
export interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export const availableHere: Availability = localAvailability

export const availableThere: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' }

export function outOfReach(reason: string, message: string): Availability {
  return { status: 'False', reason, message }
}

/** Problems that are found without calling the server. */
export function serviceProblem(
  { spec }: APIService,
  service: Service | undefined,
  endpoints: Endpoints | undefined,
): Availability | undefined {
  const { namespace = '', name = '', port: number = 443 } = spec.service ?? {}
  const subject = `service/${name} in ${JSON.stringify(namespace)}`
  if (service === undefined) return outOfReach('ServiceNotFound', `${subject} is not present`)
  if (service.spec.type === 'ExternalName') return undefined
  const port = (service.spec.ports ?? []).find((each) => each.port === number)
  if (port === undefined) return outOfReach('ServicePortError', `${subject} is not listening on port ${number}`)
  if (endpoints === undefined) return outOfReach('EndpointsNotFound', `cannot find endpoints for ${subject}`)
  const portName = port.name ?? ''
  const isThere = (endpoints.subsets ?? []).some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some((each) => (each.name ?? '') === portName),
  )
  if (isThere) return undefined
  const problem = `endpoints for ${subject} have no addresses with port name ${JSON.stringify(portName)}`
  return outOfReach('MissingEndpoints', problem)
}

/** Undefined: the status is already up to date. */
export function withAvailableCondition(object: APIService, found: Availability, now: string): APIService | undefined {
  const conditions = object.status.conditions ?? []
  const known = conditions.find(({ type }) => type === 'Available')
  const isKnown = known?.status === found.status && known.reason === found.reason && known.message === found.message
  if (isKnown) return undefined
  const since = known?.status === found.status ? known.lastTransitionTime : now
  const condition: APIServiceCondition = { type: 'Available', ...found, lastTransitionTime: since }
  const others = conditions.filter(({ type }) => type !== 'Available')
  return { ...object, status: { ...object.status, conditions: [...others, condition] } }
}
