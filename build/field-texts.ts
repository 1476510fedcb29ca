import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageSchema } from '../src/api/facts/message-schema.ts'
import { messageNames } from '../src/api/facts/messages.ts'
import type { Schema } from '../src/api/schema.ts'
import type { DefinitionTexts, FieldTexts } from '../src/server/openapi/field-texts.ts'
import { type DeclaredTexts, declaredTexts } from './declared-texts.ts'

/** Carries the texts of Kubernetes as doc comments: one declaration for each definition. */
const source = 'node_modules/@kubernetes/client-node'
const models = join(source, 'dist', 'gen', 'models')

/** A text for every definition and member that has none of our own, as far as the package has one. */
export function missingTexts(): FieldTexts {
  const found = messageNames().flatMap((message): [string, DefinitionTexts][] => {
    const schema = messageSchema(message)
    const { name, properties } = schema
    const declared = name === undefined || properties === undefined ? undefined : declaredIn(name)
    return name === undefined || declared === undefined ? [] : [[name, textsFor(schema, declared)]]
  })
  return new Map(found)
}

/** Stands beside the texts: whose they are, what was done to them, and their terms. */
export function textsLicense(): string {
  const { name, version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const notice = `The texts in field-texts.json are from ${name} ${version}, by the Kubernetes authors, and under the
license below. They were taken out of doc comments, and their lines and quotes were restored.`
  return `${notice}\n\n${readFileSync(join(source, 'LICENSE'), 'utf8')}`
}

function textsFor({ description, properties = {} }: Schema, { text, members }: DeclaredTexts): DefinitionTexts {
  const silent = Object.entries(properties).filter(([, member]) => wordsOf(member) === undefined)
  const found = silent.flatMap(([member]) => {
    const words = members.get(member)
    return words === undefined ? [] : [[member, words]]
  })
  return { text: description === undefined ? text : undefined, members: Object.fromEntries(found) }
}

/** What a named schema says of itself says nothing of the member that has it. */
function wordsOf({ name, description, memberDescription }: Schema): string | undefined {
  return memberDescription ?? (name === undefined ? description : undefined)
}

function declaredIn(name: string): DeclaredTexts | undefined {
  const file = classNames(name)
    .map((className) => join(models, `${className}.d.ts`))
    .find((path) => existsSync(path))
  return file === undefined ? undefined : declaredTexts(readFileSync(file, 'utf8'))
}

/** `CoreV1Event` or `V1Event` for `io.k8s.api.core.v1.Event`: the group stands before names that several have. */
function classNames(name: string): readonly string[] {
  const [kind = '', version = '', group = ''] = name.split('.').reverse()
  const versioned = capitalized(version) + kind
  return [capitalized(group) + versioned, versioned]
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
