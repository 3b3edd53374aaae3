/** The position with which the editor and the analysis board begin. */
export const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
