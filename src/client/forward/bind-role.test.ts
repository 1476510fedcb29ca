import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { bindRole } from './bind-role.ts'
import type { ForwardAnswer, Forwarder } from './contract.ts'
import { RoleBindings } from './role-bindings.ts'

const binding = { url: '/bindings', object: { metadata: { name: 'a:b' } } }
const refusal = (code: number) => JSON.stringify({ kind: 'Status', message: `refused with ${code}`, code })

/** An API server that answers each method with one status, and records its requests. */
function server(statuses: { readonly POST: number; readonly GET?: number }) {
  const asked: string[] = []
  const forwarder: Forwarder = {
    forward: async ({ method, url }) => {
      asked.push(`${method} ${url}`)
      const status = (method === 'POST' ? statuses.POST : statuses.GET) ?? 500
      return streamed(status)
    },
  }
  return { asked, forwarder }
}

function streamed(status: number, text = refusal(status)): ForwardAnswer {
  const body = Readable.from([Buffer.from(text)]).on('error', () => {})
  return { form: 'answer', status, headers: [], body }
}

it.each([{ POST: 201 }, { POST: 200 }, { POST: 409 }, { POST: 403, GET: 200 }])(
  'a role is bound after %j',
  async (statuses) => {
    await expect(bindRole(server(statuses).forwarder, binding)).resolves.toBeUndefined()
  },
)

it.each([
  { POST: 403, GET: 404 },
  { POST: 403, GET: 403 },
  { POST: 500, GET: 200 },
  { POST: 404, GET: 404 },
  { POST: 422 },
  { POST: 503 },
])('a role is not bound after %j, and the error names the reason', async (statuses) => {
  const refused = bindRole(server(statuses).forwarder, binding)
  await expect(refused).rejects.toThrow(`a role could not be bound: refused with ${statuses.POST}`)
})

it('a refusal in an unknown form is reported, too', async () => {
  const forwarder: Forwarder = { forward: async () => streamed(500, '<html>') }
  await expect(bindRole(forwarder, binding)).rejects.toThrow('the API server answered 500')
})

it('a failed binding is retried with the next request, and a successful one is not', async () => {
  const statuses = { POST: 403, GET: 404 }
  const { asked, forwarder } = server(statuses)
  const bindings = new RoleBindings(() => 0)
  const ensure = () => bindings.ensure(forwarder, ['impersonate-group', 'g'], () => binding)
  await expect(ensure()).rejects.toThrow('could not be bound')
  statuses.POST = 201
  await ensure()
  await ensure()
  expect(asked).toEqual(['POST /bindings', 'GET /bindings/a%3Ab', 'POST /bindings'])
})
