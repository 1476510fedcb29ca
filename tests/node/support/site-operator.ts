import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, request } from 'node:https'
import { text } from 'node:stream/consumers'

/**
 * A small operator, as users write them: it runs in a Pod of the virtual cluster and does not know the host. A Site
 * gets a Deployment with its replicas; webhooks default Sites, and refuse those that are too large. Node runs this file
 * unchanged.
 */

interface Site {
  readonly metadata: { readonly name: string; readonly uid: string }
  readonly spec: { readonly replicas: number; readonly color?: string }
}

interface Deployment {
  readonly metadata: { readonly name: string }
  readonly status?: { readonly readyReplicas?: number }
}

const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const ca = readFileSync(`${account}/ca.crt`)
const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = process.env
const sites = '/apis/example.com/v1/namespaces/default/sites'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const mostReplicas = 2

/** The token is read each time: it is replaced while the Pod runs. */
function ask(method: string, path: string, body?: object, type = 'application/json'): Promise<IncomingMessage> {
  const authorization = `Bearer ${readFileSync(`${account}/token`, 'utf8')}`
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': type }
    request({ host, port, ca, method, path, headers }, resolve)
      .once('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function tell(line: string, answer: IncomingMessage): Promise<void> {
  await text(answer)
  print(`${line}: ${answer.statusCode}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function reconcile({ metadata, spec }: Site): Promise<void> {
  const { name, uid } = metadata
  const labels = { site: name }
  const containers = [{ name: 'main', image: 'busybox:1', command: ['sleep', '1000'] }]
  const owner = { apiVersion: 'example.com/v1', kind: 'Site', name, uid, controller: true }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ownerReferences: [owner] },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers } },
    },
  }
  await tell(`deployment ${name}`, await ask('POST', deployments, deployment))
}

/** Copies the state of the Deployment to its Site. */
async function report({ metadata, status = {} }: Deployment): Promise<void> {
  const body = { status: { readyReplicas: status.readyReplicas ?? 0 } }
  const path = `${sites}/${metadata.name}/status`
  await tell(`status of ${metadata.name}`, await ask('PATCH', path, body, 'application/merge-patch+json'))
}

async function follow<Kind>(path: string, act: (object: Kind) => Promise<void>): Promise<never> {
  for (;;) {
    let rest = ''
    for await (const chunk of await ask('GET', `${path}?watch=true`)) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const { type, object } of lines.map((line) => JSON.parse(line))) {
        if (type !== 'DELETED') await act(object)
      }
    }
  }
}

function mutate({ spec }: Site): object {
  if (spec.color !== undefined) return { allowed: true }
  const patch = [{ op: 'add', path: '/spec/color', value: 'green' }]
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }
}

function validate({ spec }: Site): object {
  if (spec.replicas <= mostReplicas) return { allowed: true }
  return { allowed: false, status: { code: 403, message: `a site has at most ${mostReplicas} replicas` } }
}

const certificate = { key: readFileSync('/certificate/tls.key'), cert: readFileSync('/certificate/tls.crt') }

createServer(certificate, async (question, answer) => {
  const { apiVersion, kind, request: review } = JSON.parse(await text(question))
  const decide = question.url?.startsWith('/mutate') ? mutate : validate
  const response = { uid: review.uid, ...decide(review.object) }
  answer.setHeader('content-type', 'application/json').end(JSON.stringify({ apiVersion, kind, response }))
}).listen(8443, () => print('listening'))

await tell('secrets of kube-system', await ask('GET', '/api/v1/namespaces/kube-system/secrets'))
void follow(sites, reconcile)
void follow(deployments, report)
