import { expect, it } from 'vitest'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import { exampleService } from './example-services.ts'
import { isNothingToWrite, planSlices } from './plan-slices.ts'

it('the ports of each slice are read a few times, however many sets of ports there are', () => {
  let reads = 0
  const template = { owner: exampleService(), labels: {}, mostEndpoints: 100, placeholders: ['IPv4'] }
  const groups = Array.from({ length: 200 }, (_, at) => ({
    addressType: 'IPv4',
    ports: [{ name: 'http', port: at + 1, protocol: 'TCP' }],
    endpoints: [{ addresses: [`10.7.0.${at}`], conditions: { ready: true } }],
  }))
  const slices = planSlices(template, groups, []).create.map((slice): EndpointSlice => {
    return Object.defineProperty({ ...slice }, 'ports', {
      get: () => {
        reads += 1
        return slice.ports
      },
    })
  })
  expect(isNothingToWrite(planSlices(template, groups, slices))).toBe(true)
  expect(reads).toBeLessThanOrEqual(5 * slices.length)
})
