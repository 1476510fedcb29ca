/** A step ends after so many nodes: to end one costs more than to look at a node. */
const nodesPerStep = 32

let nodes = 0

/** Asked once for each node that is looked at. Counts nodes of all objects together, so that none goes on for longer than the others. */
export function isStepDue(): boolean {
  nodes = (nodes + 1) % nodesPerStep
  return nodes === 0
}
