import { isAbsolute, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { systemClock } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseYaml } from '../../base/json/yaml.ts'
import { ownYaml } from '../../base/json/yaml-compose.ts'
import { UsageError } from '../../base/usage-error.ts'
import type { ClientCertificate } from '../../client/connection/connect.ts'
import type { ClientCredentials } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { readIfThere } from '../../client/kubeconfig/read-file.ts'
import { pathIn, problem, type Section, sectionIn, textIn } from '../../client/kubeconfig/section.ts'
import { credentialsOf } from '../../client/kubeconfig/user.ts'
import type { WebhookType } from '../../registry/webhooks/configured-webhook.ts'
import type { CredentialsByHost, WebhookCredentials } from '../../registry/webhooks/webhook-credentials.ts'

const group = 'apiserver.config.k8s.io'
const currentVersion = `${group}/v1`
const versions = [currentVersion, `${group}/v1beta1`, `${group}/v1alpha1`, 'apiserver.k8s.io/v1alpha1']

/** Plugins that can be configured, with their names in kube-apiserver. */
const plugins: Readonly<Record<string, WebhookType>> = {
  MutatingAdmissionWebhook: 'mutating',
  ValidatingAdmissionWebhook: 'validating',
}

/**
 * The file of `--admission-control-config-file`: an AdmissionConfiguration that names kubeconfig files, whose users are
 * the credentials for webhooks. Every named file is read, so that errors are found at the start. Throws UsageError.
 */
export async function readAdmissionConfig(file: string): Promise<WebhookCredentials> {
  try {
    const root = await readSection(resolve(file))
    requireKind(root, 'AdmissionConfiguration')
    const read = await Promise.all(pluginsIn(root).map(async (plugin) => [plugin.type, await usersOf(plugin)] as const))
    return Object.fromEntries(read)
  } catch (error) {
    throw new UsageError(`the configuration of admission cannot be used: ${errorText(error)}`)
  }
}

interface ConfiguredPlugin extends Section {
  readonly type: WebhookType
}

function pluginsIn(root: Section): readonly ConfiguredPlugin[] {
  const list = root.fields.plugins ?? []
  if (!Array.isArray(list)) throw problem(root, 'plugins', 'is not a list')
  const found = list.map((fields, index) => {
    const place = `plugins[${index}]`
    if (!isJsonObject(fields)) throw problem(root, place, 'is not an object')
    return pluginIn({ file: root.file, place, fields })
  })
  const second = found.find(({ type }, index) => found.findIndex((each) => each.type === type) !== index)
  if (second !== undefined) throw problem(second, 'name', 'is there twice')
  return found
}

function pluginIn(section: Section): ConfiguredPlugin {
  const name = textIn(section, 'name')
  if (name === undefined) throw problem(section, 'name', 'is missing')
  const type = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  const known = Object.keys(plugins).join(' and ')
  if (type === undefined) throw problem(section, 'name', `is ${JSON.stringify(name)}: only ${known} can be configured`)
  return { ...section, type }
}

/** The configuration of a plugin is in the file, or in a separate one. */
async function usersOf(plugin: ConfiguredPlugin): Promise<CredentialsByHost> {
  const path = pathIn(plugin, 'path')
  const inside = sectionIn(plugin, 'configuration')
  if (path !== undefined && inside !== undefined)
    throw problem(plugin, 'path', 'must not be there together with configuration')
  const section = path === undefined ? inside : await readSection(path)
  if (section === undefined) return new Map()
  requireKind(section, 'WebhookAdmissionConfiguration')
  const kubeconfig = textIn(section, 'kubeConfigFile')
  if (kubeconfig === undefined) return new Map()
  if (!isAbsolute(kubeconfig)) throw problem(section, 'kubeConfigFile', 'must be an absolute file path')
  return readUsers(section, kubeconfig)
}

async function readSection(file: string): Promise<Section> {
  const text = await readIfThere(file)
  if (text === undefined) throw new Error(`${file}: there is no such file`)
  return { file, place: '', fields: fieldsIn(text, file) }
}

function fieldsIn(text: string, file: string): Readonly<Record<string, unknown>> {
  const { value } = parsed(text, file)
  if (!isJsonObject(value)) throw new Error(`${file}: it does not hold an object`)
  return value
}

function parsed(text: string, file: string) {
  try {
    return parseYaml(text, ownYaml)
  } catch (error) {
    throw new Error(`${file}: it cannot be read: ${errorText(error)}`)
  }
}

function requireKind(section: Section, kind: string): void {
  const { apiVersion } = section.fields
  if (typeof apiVersion !== 'string' || !versions.includes(apiVersion))
    throw problem(section, 'apiVersion', `is not ${currentVersion}`)
  if (section.fields.kind !== kind) throw problem(section, 'kind', `is not ${kind}`)
}

async function readUsers(section: Section, file: string): Promise<CredentialsByHost> {
  const text = await readIfThere(file)
  if (text === undefined) throw problem(section, 'kubeConfigFile', `points to ${file}, which does not exist`)
  const { users } = parseKubeconfig(text, file)
  const read = [...users].map(async ([name, user]) => [name, await readUser(name, user)] as const)
  return new Map(await Promise.all(read))
}

/** No program is run to call a webhook. */
async function readUser(name: string, user: Section): Promise<ClientCredentials> {
  if (user.fields.exec !== undefined) throw problem(user, 'exec', 'is not supported for webhooks')
  const credentials = await credentialsOf(user, { clock: systemClock, env: {}, cluster: { server: `https://${name}` } })
  const shown = await credentials.clientCertificate()
  if (shown !== undefined) requireFitting(user, shown)
  return credentials
}

function requireFitting(user: Section, { certificate: cert, key }: ClientCertificate): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw problem(user, 'client-certificate', `cannot be used with its client-key (${errorText(error)})`)
  }
}
