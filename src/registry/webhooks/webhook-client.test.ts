import { expect, it } from 'vitest'
import type { WebhookClientConfig } from '../../api/types/admissionregistration-v1.ts'
import type { ServiceRoute } from './contract.ts'
import { WebhookClient } from './webhook-client.ts'

const signal = new AbortController().signal

function ask(client: WebhookClientConfig, route: Partial<ServiceRoute> = {}) {
  const resolveService = () => ({ host: '', port: 443, isAssigned: false, ...route })
  const asking = new WebhookClient({ addresses: 'public', resolveService, mostConnections: 1, userAgent: 'test' })
  return asking.ask({ client, body: '{}', timeoutMs: 20_000, signal })
}

const service = { namespace: 'n', name: 's' }

it.each([
  'https://127.0.0.1:1/x',
  'https://localhost:1/x',
  'https://2130706433:1/x',
  'https://0.0.0.0:1/x',
  'https://[::1]:1/x',
  'https://[::ffff:127.0.0.1]:1/x',
  'https://169.254.169.254/latest',
  'https://10.0.0.1/x',
  'https://192.168.1.1/x',
  'https://[fd00::1]/x',
])('a process of the operator calls no webhook of a user at %s', async (url) => {
  await expect(ask({ url })).rejects.toThrow('at which no webhook is asked')
})

it.each<Partial<ServiceRoute>>([
  { host: 'localhost' },
  { host: '10.0.0.1' },
  { host: '127.0.0.1', isAssigned: true },
  { host: '169.254.169.254', isAssigned: true },
])('nor through a Service with the route %j', async (route) => {
  await expect(ask({ service }, route)).rejects.toThrow('at which no webhook is asked')
})

it('a configuration without an address is an error', async () => {
  await expect(ask({})).rejects.toThrow('failed to call webhook: Post "?timeout=20s": Invalid URL')
})
