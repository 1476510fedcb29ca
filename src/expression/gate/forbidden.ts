import type { AnyNode, Token } from 'acorn'
import type { Visit } from './walk.ts'

/** Why a part of an expression is refused although it parses; undefined if it is allowed. */
export function whyForbidden({ node, inFunction }: Visit): string | undefined {
  switch (node.type) {
    case 'ImportExpression':
      return 'import is not possible in an expression'
    case 'MetaProperty':
      return node.meta.name === 'import' ? 'import.meta does not exist in an expression' : undefined
    case 'ThisExpression':
      return inFunction ? undefined : 'this has no meaning in an expression; use value for the field'
    case 'Identifier':
      return node.name === 'arguments' && !inFunction ? 'arguments exists only inside a function' : undefined
    case 'Literal':
      return typeof node.bigint === 'string' ? 'a BigInt is not JSON; write the number without n' : undefined
    default:
      return isAsync(node) ? 'an expression gives its value at once; nothing in it can be async' : undefined
  }
}

function isAsync(node: AnyNode): boolean {
  return ('async' in node && node.async === true) || (node.type === 'ForOfStatement' && node.await === true)
}

/** Operators for one engine, the beginning of a comment for another. */
export function findCommentLikeOperator(source: string, tokens: readonly Token[]): number | undefined {
  return tokens.find(({ start, type }) => {
    if (type.label === '</>/<=/>=') return source.startsWith('<!--', start)
    return type.label === '++/--' && source.startsWith('-->', start)
  })?.start
}
