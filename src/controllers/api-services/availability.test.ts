import { expect, it } from 'vitest'
import type { APIService } from '../../api/types/apiregistration-v1.ts'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { availableThere, outOfReach, serviceProblem, withAvailableCondition } from './availability.ts'

const object = {
  metadata: { name: 'v1.example.com' },
  spec: { group: 'example.com', version: 'v1', service: { namespace: 'n', name: 's', port: 443 } },
  status: {},
} as APIService

function service(spec: object): Service {
  return { spec } as Service
}

function behind(subsets: readonly object[]): Endpoints {
  return { subsets } as unknown as Endpoints
}

const listening = service({ ports: [{ name: 'https', port: 443 }] })
const address = { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port: 8443 }] }

it.each([
  ['no Service', undefined, undefined, 'ServiceNotFound', 'service/s in "n" is not present'],
  [
    'another port',
    service({ ports: [{ port: 80 }] }),
    undefined,
    'ServicePortError',
    'service/s in "n" is not listening on port 443',
  ],
  ['no Endpoints', listening, undefined, 'EndpointsNotFound', 'cannot find endpoints for service/s in "n"'],
  [
    'no addresses',
    listening,
    behind([]),
    'MissingEndpoints',
    'endpoints for service/s in "n" have no addresses with port name "https"',
  ],
  [
    'no ready endpoint',
    listening,
    behind([{ notReadyAddresses: [{}], ports: address.ports }]),
    'MissingEndpoints',
    expect.any(String),
  ],
])('with %s it cannot be reached', (_, found, endpoints, reason, message) => {
  expect(serviceProblem(object, found, endpoints)).toEqual({ status: 'False', reason, message })
})

it('a Service with an endpoint, or an ExternalName, is called', () => {
  expect(serviceProblem(object, listening, behind([address]))).toBeUndefined()
  expect(serviceProblem(object, service({ type: 'ExternalName', externalName: 'x' }), undefined)).toBeUndefined()
})

it('an unchanged condition is not written again, and keeps its transition time', () => {
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z']
  const failed = withAvailableCondition(object, outOfReach('ServiceNotFound', 'm'), first)
  expect(failed?.status.conditions).toEqual([
    { type: 'Available', status: 'False', reason: 'ServiceNotFound', message: 'm', lastTransitionTime: first },
  ])
  if (failed === undefined) return
  expect(withAvailableCondition(failed, outOfReach('ServiceNotFound', 'm'), second)).toBeUndefined()
  const other = withAvailableCondition(failed, outOfReach('MissingEndpoints', 'm'), second)
  expect(other?.status.conditions?.[0]).toMatchObject({ reason: 'MissingEndpoints', lastTransitionTime: first })
  const passed = withAvailableCondition(failed, availableThere, second)
  expect(passed?.status.conditions?.[0]).toMatchObject({ status: 'True', lastTransitionTime: second })
})
