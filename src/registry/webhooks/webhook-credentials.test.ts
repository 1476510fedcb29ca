import { expect, it } from 'vitest'
import type { WebhookClientConfig } from '../../api/types/admissionregistration-v1.ts'
import { credentialsFor } from './webhook-credentials.ts'

const service = (port?: number): WebhookClientConfig => ({
  service: { name: 'hook', namespace: 'ns', ...(port !== undefined && { port }) },
})
const url = (text: string): WebhookClientConfig => ({ url: text })

it.each<[string, WebhookClientConfig, readonly string[], string | undefined]>([
  ['a Service by its name', service(), ['hook.ns.svc', '*.ns.svc', '*'], 'hook.ns.svc'],
  ['a Service by name and port before that', service(443), ['hook.ns.svc', 'hook.ns.svc:443'], 'hook.ns.svc:443'],
  ['another port only with the port', service(8443), ['hook.ns.svc', 'hook.ns.svc:8443'], 'hook.ns.svc:8443'],
  ['and otherwise by the wildcard', service(8443), ['hook.ns.svc', '*.ns.svc', '*'], '*'],
  ['all Services of a namespace', service(), ['*.ns.svc', '*.svc'], '*.ns.svc'],
  ['all Services', service(), ['*.other.svc', '*.svc', '*'], '*.svc'],
  ['the host of a URL', url('https://a.example.com/x'), ['a.example.com', '*'], 'a.example.com'],
  ['a host with the usual port', url('https://a.example.com:443/x'), ['a.example.com'], 'a.example.com'],
  ['a host without a port is not one with it', url('https://a.example.com'), ['a.example.com:443'], undefined],
  [
    'a host with another port',
    url('https://a.example.com:99?b'),
    ['a.example.com', 'a.example.com:99'],
    'a.example.com:99',
  ],
  ['none', url('https://a.example.com'), ['b.example.com'], undefined],
])('%s', (_, client, names, expected) => {
  const refused = () => false
  const users = names.map((name) => {
    const headers = async () => ({ name })
    return [name, { headers, clientCertificate: async () => undefined, refused }] as const
  })
  const all = new Map(users)
  expect(credentialsFor(all, client)).toBe(expected === undefined ? undefined : all.get(expected))
})
