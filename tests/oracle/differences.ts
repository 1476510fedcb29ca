const kinder = 'kube-apiserver answers a mistake of the caller with a 500; ours is a 400 that says what is wrong'

/** Steps with intentionally different answers, and why. */
export const differences: ReadonlyMap<string, string> = new Map([
  ['imp-nouser', kinder],
  ['create-rv', kinder],
  ['sm-nokey', kinder],
  ['ssa-unknown', kinder],
  ['own-2ctl', 'the message prints pointers as Go sees them, an address in memory; ours prints the value'],
])
