import { isJsonObject } from '../../base/json/member.ts'
import type { AggregatedResource } from './contract.ts'

/** Limits for one version of a group. */
const mostResources = 500
const mostCharacters = 64 * 1024
const mostWords = 50
const longestWord = 253

/** The valid and unique entries of a server's resource list, since every client of the cluster sees them. */
export function readResourceList(text: string): readonly AggregatedResource[] {
  const list: unknown = JSON.parse(text)
  const resources = isJsonObject(list) && Array.isArray(list.resources) ? list.resources : []
  const named = new Map<string, AggregatedResource>()
  let left = mostCharacters
  for (const each of resources.slice(0, mostResources)) {
    const resource = resourceOf(each)
    if (resource === undefined || named.has(resource.name)) continue
    left -= sizeOfResource(resource)
    if (left < 0) break
    named.set(resource.name, resource)
  }
  return [...named.values()]
}

/** The approximate number of characters that the resource takes in discovery. */
export function sizeOfResource(resource: AggregatedResource): number {
  return JSON.stringify(resource).length
}

function resourceOf(entry: unknown): AggregatedResource | undefined {
  if (!isJsonObject(entry)) return undefined
  const { name, kind } = entry
  if (!isWord(name) || !isWord(kind)) return undefined
  return {
    name,
    kind,
    singularName: wordOf(entry.singularName),
    namespaced: entry.namespaced === true,
    group: wordOf(entry.group),
    version: wordOf(entry.version),
    verbs: wordsOf(entry.verbs),
    shortNames: wordsOf(entry.shortNames),
    categories: wordsOf(entry.categories),
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestWord
}

function wordOf(value: unknown): string {
  return isWord(value) ? value : ''
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isWord).slice(0, mostWords) : []
}
