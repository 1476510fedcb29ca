import { isJsonObject } from '../../base/json/member.ts'
import type { AggregatedResource } from './contract.ts'

/** What one version of a group may bring. */
const mostResources = 500
const mostCharacters = 64 * 1024
const mostWords = 50
const longestWord = 253

/** What a server says it serves, as far as it makes sense, and each thing once: it is shown to every client of the cluster. */
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

/** How many characters it takes, more or less as discovery shows it. */
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
