/** Function words, and contractions up to the apostrophe. Not indexed in prose, but in titles and headings, so that “What is it” can be found. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above again all also although am an and any are as at be because been being both but by can cannot could did do does doing
  don done each either else even ever every few for from further had has have having he her here hers him his how however i if in into is it its
  itself just let lets like ll many may maybe me might mine more most much must my myself neither no nor of often on one only or other our ours
  out over own per quite rather re really s shall she should so some such t than that the their theirs them then there these they this those
  though through thus to too until up upon us ve very was we were what whatever when whenever where whether which while who whoever whom whose
  why will with within would yet you your yours yourself im dont doesnt cant isnt arent wont didnt couldnt shouldnt wouldnt hasnt havent ive id
  aren couldn didn doesn hadn hasn haven isn shouldn wasn weren won wouldn`.split(/\s+/),
);

/** Content words that occur in almost every question. */
export const commonWords: ReadonlySet<string> = new Set(
  `able anything around ask asked asking best better call called come correct everything explain find get gets getting give given go goes going
  good happen happening happens help instead keep know later look looking make makes making mean need needed needs nothing now please possible properly
  really right say see show someone something still supposed sure tell thing things think tried try trying understand want wanted wants way
  ways without work working works wrong`.split(/\s+/),
);
