import type { Entry } from 'ldapts'
import type { DirectoryConnection } from './directory.ts'
import { entryText, entryTexts } from './entry.ts'
import { anyOf, equals, inChain, matchingBoth, parsedFilter } from './filters.ts'
import type { GroupSettings } from './settings.ts'

const mostGroups = 1_000
/** In one filter, or in concurrent requests. */
const atOnce = 50
const memberOf = 'memberOf'

/** Attributes of a user that are needed to find the groups. */
export function attributesForGroups({ method, userAttribute }: GroupSettings): readonly string[] {
  if (method === memberOf) return [memberOf]
  return userAttribute === '' ? [] : [userAttribute]
}

/** Names of the groups that a user is in, and of those that contain these. Each is visited once, so that cycles end. */
export async function groupsOfUser(
  directory: DirectoryConnection,
  user: Entry,
  settings: GroupSettings,
): Promise<readonly string[]> {
  const groups = await findGroups(directory, user, settings)
  return groups.map((group) => entryText(group, settings.nameAttribute)).filter((name) => name !== '')
}

function findGroups(directory: DirectoryConnection, user: Entry, settings: GroupSettings): Promise<readonly Entry[]> {
  switch (settings.method) {
    case 'inChain':
      return searchInChain(directory, user, settings)
    case 'search': {
      const { userAttribute } = settings
      const members = userAttribute === '' ? [user.dn] : entryTexts(user, userAttribute)
      return follow(members, settings, (names) => searchNaming(directory, names, settings))
    }
    case memberOf: {
      const read = (names: readonly string[]) => readGroups(directory, names, settings)
      return follow(entryTexts(user, memberOf), settings, read, (group) => entryTexts(group, memberOf))
    }
  }
}

function searchInChain(directory: DirectoryConnection, user: Entry, settings: GroupSettings) {
  const { baseDN, filter, memberAttribute, nameAttribute } = settings
  return directory.find({
    baseDN,
    filter: matchingBoth(parsedFilter(filter), inChain(memberAttribute, user.dn)),
    attributes: [nameAttribute],
    most: mostGroups,
  })
}

/** Groups that name one of these as a member. */
function searchNaming(directory: DirectoryConnection, names: readonly string[], settings: GroupSettings) {
  const { baseDN, filter, memberAttribute, nameAttribute } = settings
  return directory.find({
    baseDN,
    filter: matchingBoth(parsedFilter(filter), anyOf(names.map((name) => equals(memberAttribute, name)))),
    attributes: [nameAttribute],
    most: mostGroups,
  })
}

/** Groups of these names, if they are below the base. */
async function readGroups(directory: DirectoryConnection, names: readonly string[], settings: GroupSettings) {
  const { baseDN, filter, nameAttribute } = settings
  const isInside = (name: string) => baseDN === '' || name.toLowerCase().endsWith(`,${baseDN.toLowerCase()}`)
  const parsed = parsedFilter(filter)
  const read = names.filter(isInside).map((name) => directory.read(name, parsed, [nameAttribute, memberOf]))
  return (await Promise.all(read)).filter((group) => group !== undefined)
}

type FindGroups = (names: readonly string[]) => Promise<readonly Entry[]>

/** Level by level: the groups found lead to the names of the next level. */
async function follow(
  first: readonly string[],
  { depth }: GroupSettings,
  find: FindGroups,
  leadsTo: (group: Entry) => readonly string[] = ({ dn }) => [dn],
): Promise<readonly Entry[]> {
  const found = new Map<string, Entry>()
  const asked = new Set<string>()
  let names = first
  for (let level = 0; level < depth && names.length > 0 && found.size < mostGroups; level += 1) {
    const unasked = names.filter((name) => !asked.has(name.toLowerCase())).slice(0, mostGroups)
    for (const name of unasked) asked.add(name.toLowerCase())
    const groups = await findInParts(unasked, find)
    const unknown = groups.filter(({ dn }) => !found.has(dn.toLowerCase()))
    for (const group of unknown) found.set(group.dn.toLowerCase(), group)
    names = unknown.flatMap(leadsTo)
  }
  return [...found.values()].slice(0, mostGroups)
}

async function findInParts(names: readonly string[], find: FindGroups): Promise<readonly Entry[]> {
  const found: Entry[] = []
  for (let at = 0; at < names.length; at += atOnce) found.push(...(await find(names.slice(at, at + atOnce))))
  return found
}
