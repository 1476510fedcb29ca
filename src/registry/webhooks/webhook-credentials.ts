import type { WebhookClientConfig } from '../../api/types/admissionregistration-v1.ts'
import type { ClientCredentials } from '../../client/kubeconfig/contract.ts'
import type { WebhookType } from './configured-webhook.ts'

/** By the webhooks to which they are presented: `host`, `host:port`, `*.domain` or `*`. */
export type CredentialsByHost = ReadonlyMap<string, ClientCredentials>

/** The credentials with which the server identifies itself to admission webhooks. */
export type WebhookCredentials = Readonly<Partial<Record<WebhookType, CredentialsByHost>>>

/** The credentials for a webhook, if any. The most specific name takes precedence. */
export function credentialsFor(all: CredentialsByHost, client: WebhookClientConfig): ClientCredentials | undefined {
  const target = targetOf(client)
  const withoutPort = target.endsWith(usualPort) ? [target.slice(0, -usualPort.length)] : []
  const names = [target, ...withoutPort].flatMap((host) => [host, ...domainsOf(host)])
  return [...names, '*'].map((name) => all.get(name)).find((found) => found !== undefined)
}

const usualPort = ':443'

/** Host and port as written. A Service appears under its name in the cluster. */
function targetOf({ url = '', service }: WebhookClientConfig): string {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc:${service.port ?? 443}`
  return /^https:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
}

function domainsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)
}
