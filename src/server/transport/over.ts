/** Why a signal aborts when its request is over. One for all: the usual reason would be made anew, with its stack, each time. */
export const over = new Error('The request is over.')
