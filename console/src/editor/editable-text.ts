import type { KubeObject } from '../api/objects.ts'
import { printYaml } from '../yaml/print.ts'

/** An object as the user edits it: without `managedFields`, which the server maintains. */
export function editableText(object: KubeObject): string {
  const { apiVersion, kind, metadata, ...rest } = object
  const { managedFields: _, ...edited } = metadata
  return printYaml({ apiVersion, kind, metadata: edited, ...rest })
}

/** The part of an object that users write: two versions with the same text differ only in reported data. */
export function contentText(object: KubeObject): string {
  const { status: _, metadata, ...rest } = object
  const { resourceVersion: _version, generation: _generation, ...written } = metadata
  return editableText({ ...rest, metadata: written })
}

const versionLine = /^( {2}resourceVersion: *)("?)([^"\n]*)\2$/m

/** The version of the object in the text. */
export function versionIn(text: string): string | undefined {
  return versionLine.exec(text)?.[3]
}

export function onVersion(text: string, version: string): string {
  return text.replace(versionLine, (_, start: string) => `${start}"${version}"`)
}
