import { asJson, asMembers } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { ClientCertificate } from '../../connection/connect.ts'
import { KubeconfigError } from '../contract.ts'

export const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** The cluster as described to a plugin, if its entry asks for that. */
export type ExecCluster = Readonly<Record<string, unknown>>

export interface ExecCredential {
  readonly token: string | undefined
  readonly clientCertificate: ClientCertificate | undefined
  /** Absent: valid until the server refuses it. */
  readonly expiresAtMs: number | undefined
}

/** The environment variable for a plugin. */
export function execInfo(apiVersion: string, cluster: ExecCluster | undefined): string {
  const spec = { interactive: false, ...(cluster === undefined ? {} : { cluster }) }
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
}

/** Parses the output of a plugin. It contains secrets, so no error shows any of it. */
export function readExecCredential(text: string, apiVersion: string, plugin: string): ExecCredential {
  const fail = (reason: string) => new KubeconfigError(`the credential plugin ${plugin} ${reason}`)
  const credential = asJson(text)
  if (!isJsonObject(credential) || credential.kind !== 'ExecCredential') throw fail('printed no ExecCredential')
  if (credential.apiVersion !== apiVersion) throw fail(`answered in another version than ${apiVersion}`)
  const status = asMembers(credential.status)
  const field = (name: string): string | undefined => {
    const value = status[name]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') throw fail(`printed a status.${name} that is not a text`)
    return value
  }
  const [token, certificate, key] = [field('token'), field('clientCertificateData'), field('clientKeyData')]
  if ((certificate === undefined) !== (key === undefined))
    throw fail('printed a certificate or a key without the other')
  if (token === undefined && certificate === undefined) throw fail('printed neither a token nor a certificate')
  const expiry = field('expirationTimestamp')
  const expiresAtMs = expiry === undefined ? undefined : Date.parse(expiry)
  if (Number.isNaN(expiresAtMs)) throw fail('printed a status.expirationTimestamp that is no time')
  const clientCertificate = certificate === undefined || key === undefined ? undefined : { certificate, key }
  return { token, clientCertificate, expiresAtMs }
}
