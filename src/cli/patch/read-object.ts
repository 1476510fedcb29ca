import type { KubeObject } from '../../api/object.ts'
import { JsonSyntaxError } from '../../base/json/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseYaml } from '../../base/json/yaml.ts'
import { ownYaml } from '../../base/json/yaml-compose.ts'
import { isKubeObject } from '../../patches/kube-object.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** One Kubernetes object from a file of YAML or JSON, or from standard input. */
export async function readObject(file: string, terminal: Terminal): Promise<KubeObject> {
  const { text, name } = await readInputText(file, terminal)
  const value = parsed(text, name)
  if (!isKubeObject(value))
    throw new Error(`${name} is not a Kubernetes object: apiVersion, kind or metadata is missing`)
  const { metadata } = value
  if (typeof metadata.name !== 'string' || metadata.name === '') throw new Error(`${name} has no metadata.name`)
  if (!isTextOrAbsent(metadata.namespace)) throw new Error(`metadata.namespace of ${name} is not text`)
  for (const member of ['labels', 'annotations'] as const) {
    if (!isTextMapOrAbsent(metadata[member])) throw new Error(`metadata.${member} of ${name} is not a map of texts`)
  }
  return value
}

function parsed(text: string, name: string): unknown {
  try {
    return parseYaml(text, ownYaml).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Error(`${name}: ${error.message}`)
    throw error
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isTextMapOrAbsent(value: unknown): boolean {
  return value === undefined || (isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string'))
}
