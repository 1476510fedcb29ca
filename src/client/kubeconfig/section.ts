import { dirname, resolve } from 'node:path'
import { isJsonObject } from '../../base/json/member.ts'
import { KubeconfigError } from './contract.ts'

/** Part of a kubeconfig with its location, so that errors can name it. */
export interface Section {
  readonly file: string
  /** For example `users["admin"].user`. */
  readonly place: string
  readonly fields: Readonly<Record<string, unknown>>
}

export function problem({ file, place }: Section, field: string, text: string): KubeconfigError {
  return new KubeconfigError(`${file}: ${place === '' ? field : `${place}.${field}`} ${text}`)
}

/** Undefined if it is absent or empty, which is equivalent in a kubeconfig. */
export function textIn(section: Section, field: string): string | undefined {
  const value = section.fields[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw problem(section, field, 'is not a text')
  return value
}

export function flagIn(section: Section, field: string): boolean {
  const value = section.fields[field] ?? false
  if (typeof value !== 'boolean') throw problem(section, field, 'is neither true nor false')
  return value
}

export function textsIn(section: Section, field: string): readonly string[] {
  const value = section.fields[field] ?? []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw problem(section, field, 'is not a list of texts')
}

export function sectionIn(section: Section, field: string): Section | undefined {
  const fields = section.fields[field]
  if (fields === undefined || fields === null) return undefined
  if (!isJsonObject(fields)) throw problem(section, field, 'is not an object')
  return { file: section.file, place: section.place === '' ? field : `${section.place}.${field}`, fields }
}

/** Paths are relative to the file that contains them. */
export function pathIn(section: Section, field: string): string | undefined {
  const path = textIn(section, field)
  return path === undefined ? undefined : resolve(dirname(section.file), path)
}

/** Inline PEM. The text may be a key, so no error shows any of it. */
export function pemIn(section: Section, field: string): string | undefined {
  const encoded = textIn(section, field)
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  if (text.includes('-----BEGIN ')) return text
  throw problem(section, field, 'is not PEM in base64')
}
