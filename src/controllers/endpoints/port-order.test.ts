import { describe, expect, it } from 'vitest'
import { inShownOrder } from './port-order.ts'

const http = { name: 'http', port: 8080, protocol: 'TCP' }
const raw = { name: 'raw', port: 9000, protocol: 'TCP', appProtocol: 'kubernetes.io/h2c' }
const tcp = { name: 't', port: 5353, protocol: 'TCP' }
const udp = { name: 'u', port: 5353, protocol: 'UDP' }

describe('ports of Endpoints', () => {
  it.each([
    ['raw', 'http', [raw, http]],
    ['t', 'u', [tcp, udp]],
  ])('%s comes before %s, as in Kubernetes 1.32.4', (_, __, ports) => {
    expect(inShownOrder(ports)).toEqual(ports)
    expect(inShownOrder(ports.toReversed())).toEqual(ports)
  })
})
