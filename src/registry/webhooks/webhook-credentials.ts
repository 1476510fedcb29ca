import type { WebhookClientConfig } from '../../api/types/admissionregistration-v1.ts'
import type { ClientCredentials } from '../../client/kubeconfig/contract.ts'
import type { WebhookType } from './configured-webhook.ts'

/** By the webhooks that they are shown to: `host`, `host:port`, `*.domain` or `*`. */
export type CredentialsByHost = ReadonlyMap<string, ClientCredentials>

/** What the server shows to admission webhooks to prove who it is. */
export type WebhookCredentials = Readonly<Partial<Record<WebhookType, CredentialsByHost>>>

/** Those for a webhook, if there are any. The name that says most comes first. */
export function credentialsFor(all: CredentialsByHost, client: WebhookClientConfig): ClientCredentials | undefined {
  const target = targetOf(client)
  const withoutPort = target.endsWith(usualPort) ? [target.slice(0, -usualPort.length)] : []
  const names = [target, ...withoutPort].flatMap((host) => [host, ...domainsOf(host)])
  return [...names, '*'].map((name) => all.get(name)).find((found) => found !== undefined)
}

const usualPort = ':443'

/** Host and port as they are written. A Service is called by its name in the cluster. */
function targetOf({ url = '', service }: WebhookClientConfig): string {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc:${service.port ?? 443}`
  return /^https:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
}

function domainsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)
}
