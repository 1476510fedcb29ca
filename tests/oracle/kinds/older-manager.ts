/** Stories of controllers for which kube-controller-manager 1.20 on our engine gives the same answers as 1.32. */
export const toldByOlderManager = {
  inCi: ['ctlagg', 'ctlgc', 'ctlnode', 'ctlrs'],
  /** They wait for rollouts. */
  long: ['ctldep', 'ctldepr'],
}

/** Stories with different answers, and why. */
export const toldOtherwise: Readonly<Record<string, string>> = {
  ctlcron: 'it asks for CronJobs in a version that is no longer served',
  ctlcsr: 'it was started without an authority that signs',
  ctldef: 'it has to be alone, and is told only with our own controllers',
  ctlds: 'a Node that is added has its Pod later than the story waits',
  ctlep: 'it asks for EndpointSlices in a version that is no longer served',
  ctlev: 'Events of the scheduler beside it are among those that are listed',
  ctlhpa: 'it looks at autoscalers every 15 seconds, and the story waits for ten',
  ctljob: 'a Job counts ready Pods, and each one once, since 1.24',
  ctljobp: 'failure policies came later',
  ctljobr: 'a Job says that it is about to fail since 1.31',
  ctlns: 'the certificate of a namespace has a description since 1.24',
  ctlpdb: 'it asks for budgets in a version that is no longer served',
  ctlpv: 'volumes say since when they are available since 1.28',
  ctlpvx: 'it looks at claims every 15 seconds, and the story waits for ten',
  ctlsts: 'Pods have the label of their index since 1.28',
  ctlstsm: 'minReadySeconds of StatefulSets came later',
  ctltaint: 'Pods say why they are disrupted since 1.26',
  ctltok: 'it was started without a key that signs tokens',
}
