/** The doc comments of a generated class and of each member. */
export interface DeclaredTexts {
  readonly text: string | undefined
  readonly members: ReadonlyMap<string, string>
}

const classComment = /\/\*\*\n\* (.*)\n\*\/\nexport declare class /
const memberComment = /^ {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n {4}'(\w+)'/gm

/** Reads a declaration file of `@kubernetes/client-node`, which is generated: a comment is one line between two. */
export function declaredTexts(declaration: string): DeclaredTexts {
  const text = classComment.exec(declaration)?.[1]
  const members = [...declaration.matchAll(memberComment)].map(
    ([, comment = '', name = '']) => [jsonName(name), plainText(comment)] as const,
  )
  return { text: text === undefined ? undefined : plainText(text), members: new Map(members) }
}

/** Reserved words of the language are preceded by an underscore. */
function jsonName(member: string): string {
  return member.replace(/^_/, '')
}

/** The generator put a space where a line ended, and a backslash before quotes and backslashes. */
function plainText(comment: string): string {
  return comment
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/ {2,}(?=[*-] )/g, '\n')
    .replaceAll(/ {2,}/g, '\n\n')
    .trim()
}
