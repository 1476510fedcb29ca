import type { ServerHttp2Stream } from 'node:http2'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { LinkRequest } from './contract.ts'
import { LateVirtualApi } from './late-api.ts'

const longMs = 300_000

function request(): LinkRequest {
  return { stream: new PassThrough() as unknown as ServerHttp2Stream, headers: {}, rawHeaders: [] }
}

describe('the deferred start of a virtual cluster', () => {
  it('waits for responses to earlier requests', async () => {
    const told: string[] = []
    const api = new LateVirtualApi({ headStartMs: longMs })
    const serve = ({ stream }: LinkRequest) => {
      setImmediate(() => {
        told.push('answered')
        stream.destroy()
      })
    }
    api.serve(request())
    const roleBound = api.bindClusterRole('view').then(() => api.serve(request()))
    await api.answerBy({ serve, isBound: () => true })
    await roleBound
    expect(told).toEqual(['answered', 'answered'])
  })

  it('does not wait if there was no request', async () => {
    await new LateVirtualApi({ headStartMs: longMs }).answerBy({ serve: () => {}, isBound: () => true })
  })

  it('does not wait long for a slow response such as a watch', async () => {
    const api = new LateVirtualApi({ headStartMs: 1 })
    api.serve(request())
    await api.answerBy({ serve: () => {}, isBound: () => true })
  })
})
