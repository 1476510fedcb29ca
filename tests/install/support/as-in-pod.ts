import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface SecretData {
  readonly data: Readonly<Record<string, string>>
}

/** The fields of a Pod template that determine how its process is started. */
export interface PodTemplate {
  readonly containers: readonly {
    readonly command: readonly string[]
    readonly args: readonly string[]
    readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: SecretEntry }[]
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  }[]
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[]
}

interface SecretEntry {
  readonly secretKeyRef: { readonly name: string; readonly key: string }
}

export interface ProcessOfPod {
  readonly words: readonly string[]
  remove(): void
}

/**
 * Plays a kubelet for the first container of a Pod, up to its start: volumes in a local folder, variables, arguments.
 */
export async function asInPod(
  { containers: [container], volumes }: PodTemplate,
  secret: (name: string) => Promise<SecretData>,
): Promise<ProcessOfPod> {
  if (container === undefined) throw new Error('the Pod has no container')
  const root = mkdtempSync(join(tmpdir(), 'tenant-as-in-pod-'))
  const entryOf = async (name: string, key: string) =>
    Buffer.from((await secret(name)).data[key] ?? '', 'base64').toString()
  for (const { name, mountPath } of container.volumeMounts) {
    mkdirSync(join(root, mountPath), { recursive: true })
    const secretName = volumes.find((volume) => volume.name === name)?.secret?.secretName
    if (secretName === undefined) continue
    for (const key of Object.keys((await secret(secretName)).data)) {
      writeFileSync(join(root, mountPath, key), await entryOf(secretName, key), { mode: 0o600 })
    }
  }
  const variables: Record<string, string> = {}
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    const { secretKeyRef: from } = valueFrom ?? {}
    variables[name] = from === undefined ? value : await entryOf(from.name, from.key)
  }
  // Longest first: one may be a prefix of another.
  const paths = container.volumeMounts
    .map(({ mountPath }) => mountPath)
    .sort((left, right) => right.length - left.length)
  const here = (word: string) => paths.reduce((text, path) => text.replaceAll(`=${path}`, `=${join(root, path)}`), word)
  const words = [...container.command.slice(1), ...container.args]
    .map((word) => here(word))
    .map((word) => word.replace(/\$\((\w+)\)/g, (_, name: string) => variables[name] ?? ''))
  return { words, remove: () => rmSync(root, { recursive: true, force: true }) }
}
