import type { NodeFactory } from './node-factory.ts'
import { CelSyntaxError } from './syntax-problem.ts'
import { accumulator, type CallNode, type CelNode, type FoldNode, operator } from './tree.ts'

/** The name that the reference implementation uses for the accumulator of loops: no loop variable may have it. */
const reservedVariable = '__result__'

interface MacroCall {
  readonly at: number
  readonly target: CelNode
  readonly args: readonly CelNode[]
  readonly nodes: NodeFactory
}

type Expand = (call: MacroCall) => CelNode

/** By name and number of arguments; all are called on a value. */
const macros: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ['all/2', all],
  ['exists/2', exists],
  ['exists_one/2', existsOne],
  ['map/2', mapped],
  ['map/3', mapped],
  ['filter/2', filtered],
  ['optMap/2', (call) => mappedOptional(call, (fold) => call.nodes.call(call.at, 'optional.of', [fold]))],
  ['optFlatMap/2', (call) => mappedOptional(call, (fold) => fold)],
])

/** The expansion of a macro; undefined if a call is not one. */
export function expandedMacro({ name, at, target, args }: CallNode, nodes: NodeFactory): CelNode | undefined {
  if (target !== undefined) return macros.get(`${name}/${args.length}`)?.({ at, target, args, nodes })
  const [only] = args
  if (name !== 'has' || only === undefined || args.length > 1) return undefined
  if (only.kind !== 'select' || only.isTest) throw new CelSyntaxError(only.at, 'invalid argument to has() macro')
  return nodes.select(at, only.operand, only.field, true)
}

function all(call: MacroCall): CelNode {
  const { at, nodes } = call
  return loop(call, {
    initial: nodes.literal(at, true),
    condition: nodes.call(at, operator.notStrictlyFalse, [result(call)]),
    step: nodes.call(at, operator.and, [result(call), second(call)]),
    result: result(call),
  })
}

function exists(call: MacroCall): CelNode {
  const { at, nodes } = call
  const notYet = nodes.call(at, operator.not, [result(call)])
  return loop(call, {
    initial: nodes.literal(at, false),
    condition: nodes.call(at, operator.notStrictlyFalse, [notYet]),
    step: nodes.call(at, operator.or, [result(call), second(call)]),
    result: result(call),
  })
}

function existsOne(call: MacroCall): CelNode {
  const { at, nodes } = call
  const oneMore = nodes.call(at, operator.add, [result(call), nodes.literal(at, 1n)])
  return loop(call, {
    initial: nodes.literal(at, 0n),
    condition: nodes.literal(at, true),
    step: nodes.call(at, operator.conditional, [second(call), oneMore, result(call)]),
    result: nodes.call(at, operator.equals, [result(call), nodes.literal(at, 1n)]),
  })
}

/** `map(x, f)`, or `map(x, condition, f)`. */
function mapped(call: MacroCall): CelNode {
  const [, middle, last] = call.args
  return last === undefined ? collected(call, second(call)) : collected(call, last, middle)
}

function filtered(call: MacroCall): CelNode {
  return collected(call, call.nodes.identifier(call.at, variableOf(call)), second(call))
}

function collected(call: MacroCall, item: CelNode, condition?: CelNode): CelNode {
  const { at, nodes } = call
  const longer = nodes.call(at, operator.add, [result(call), nodes.list(at, [{ value: item, isOptional: false }])])
  return loop(call, {
    initial: nodes.list(at, []),
    condition: nodes.literal(at, true),
    step: condition === undefined ? longer : nodes.call(at, operator.conditional, [condition, longer, result(call)]),
    result: result(call),
  })
}

/** A loop over nothing, which gives the value a name. */
function mappedOptional(call: MacroCall, wrapped: (fold: CelNode) => CelNode): CelNode {
  const { at, nodes, target } = call
  const variable = nameOf(call.args[0], 'the variable name must be a simple identifier')
  const fold = nodes.fold(at, {
    variable: '#unused',
    range: nodes.list(at, []),
    accumulator: variable,
    initial: nodes.call(at, 'value', [], target),
    condition: nodes.literal(at, false),
    step: nodes.identifier(at, variable),
    result: second(call),
  })
  const hasValue = nodes.call(at, 'hasValue', [], target)
  return nodes.call(at, operator.conditional, [hasValue, wrapped(fold), nodes.call(at, 'optional.none', [])])
}

function loop(call: MacroCall, parts: Pick<FoldNode, 'initial' | 'condition' | 'step' | 'result'>): CelNode {
  return call.nodes.fold(call.at, { variable: variableOf(call), range: call.target, accumulator, ...parts })
}

function result({ at, nodes }: MacroCall): CelNode {
  return nodes.identifier(at, accumulator)
}

function second({ args }: MacroCall): CelNode {
  const found = args[1]
  if (found === undefined) throw new Error('A macro with two arguments has been called with fewer.')
  return found
}

function variableOf(call: MacroCall): string {
  const name = nameOf(call.args[0], 'argument must be a simple name')
  if (name !== reservedVariable) return name
  throw new CelSyntaxError(call.at, 'iteration variable overwrites accumulator variable')
}

function nameOf(node: CelNode | undefined, problem: string): string {
  if (node?.kind === 'identifier') return node.name
  throw new CelSyntaxError(node?.at ?? 0, problem)
}
