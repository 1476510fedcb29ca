/** The project of commands and virtual clusters that name none. */
export const defaultProject = 'default'
