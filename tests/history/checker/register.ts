import { type Call, type Data, type Refusal, type Sight, sameData, type Write } from './history.ts'

/** The state of one name. `revision` and `uid` are absent if the write that made it was never answered. */
export type State =
  | { readonly is: 'absent' }
  | {
      readonly is: 'present'
      readonly data: Data
      readonly revision: number | undefined
      readonly uid: string | undefined
    }

export const absent: State = { is: 'absent' }

/**
 * The state after a call that found this state and got this answer; undefined if the answer does not match the state.
 * `made` is the known result of the call, from its answer or from other answers.
 */
export function after(state: State, call: Call, made: Sight | undefined): State | undefined {
  const { action, outcome } = call
  if (action.do === 'get') return isShown(state, call) ? state : undefined
  if (outcome.is === 'refused') return isRefused(state, action, outcome.because) ? state : undefined
  if (refusalOf(state, action) !== undefined) return undefined
  if (action.do === 'delete') return isUid(state, outcome.is === 'done' ? outcome.uid : undefined) ? absent : undefined
  return written(state, action, made)
}

/** Calls that leave the state as it is. */
export function changesNothing({ action, outcome }: Call): boolean {
  return action.do === 'get' || outcome.is === 'refused'
}

function isShown(state: State, { outcome }: Call): boolean {
  if (outcome.is !== 'done') return outcome.is === 'refused' && (outcome.because !== 'absent' || state.is === 'absent')
  if (state.is === 'absent' || outcome.sight === undefined) return false
  const { sight } = outcome
  return isRevision(state, sight.revision) && isUid(state, sight.uid) && sameData(state.data, sight.data)
}

function isRefused(state: State, action: Write, because: Refusal): boolean {
  return because === 'unavailable' || refusalOf(state, action) === because
}

/** The required refusal of a write that finds this state. */
function refusalOf(state: State, action: Write): Refusal | undefined {
  if (action.do === 'create') return state.is === 'present' ? 'present' : undefined
  if (state.is === 'absent') return 'absent'
  const isExpected = action.expected === undefined || action.expected === state.revision
  const isExpectedUid = action.do !== 'delete' || action.expectedUid === undefined || action.expectedUid === state.uid
  return isExpected && isExpectedUid ? undefined : 'conflict'
}

function written(state: State, action: Exclude<Write, { do: 'delete' }>, made: Sight | undefined): State | undefined {
  const data = action.do === 'merge' && state.is === 'present' ? { ...state.data, ...action.data } : action.data
  const uid = state.is === 'present' ? state.uid : undefined
  if (made === undefined) return { is: 'present', data, revision: undefined, uid }
  if (!sameData(data, made.data) || (uid !== undefined && uid !== made.uid)) return undefined
  return { is: 'present', data, revision: made.revision, uid: made.uid }
}

function isRevision(state: State, revision: number): boolean {
  return state.is === 'present' && (state.revision === undefined || state.revision === revision)
}

/** Whether nothing contradicts the uid. */
function isUid(state: State, uid: string | undefined): boolean {
  return state.is === 'present' && (uid === undefined || state.uid === undefined || state.uid === uid)
}
