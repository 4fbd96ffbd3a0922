* Knapsack: 30 items, value and weight weakly correlated, half of all weight fits.
NAME knapsack-30
ROWS
 N value
 L weight
OBJSENSE
 MAX
COLUMNS
 MARKER 'MARKER' 'INTORG'
 item01 value 845 weight 840
 item02 value 806 weight 802
 item03 value 934 weight 905
 item04 value 827 weight 884
 item05 value 334 weight 254
 item06 value 418 weight 366
 item07 value 835 weight 790
 item08 value 773 weight 750
 item09 value 909 weight 969
 item10 value 175 weight 203
 item11 value 1059 weight 993
 item12 value 417 weight 435
 item13 value 614 weight 686
 item14 value 244 weight 273
 item15 value 71 weight 127
 item16 value 462 weight 521
 item17 value 484 weight 516
 item18 value 160 weight 176
 item19 value 302 weight 205
 item20 value 343 weight 228
 item21 value 418 weight 426
 item22 value 583 weight 585
 item23 value 790 weight 694
 item24 value 545 weight 560
 item25 value 482 weight 521
 item26 value 392 weight 313
 item27 value 254 weight 304
 item28 value 349 weight 424
 item29 value 728 weight 740
 item30 value 897 weight 797
 MARKER 'MARKER' 'INTEND'
RHS
 RHS weight 8143
BOUNDS
 BV BND item01
 BV BND item02
 BV BND item03
 BV BND item04
 BV BND item05
 BV BND item06
 BV BND item07
 BV BND item08
 BV BND item09
 BV BND item10
 BV BND item11
 BV BND item12
 BV BND item13
 BV BND item14
 BV BND item15
 BV BND item16
 BV BND item17
 BV BND item18
 BV BND item19
 BV BND item20
 BV BND item21
 BV BND item22
 BV BND item23
 BV BND item24
 BV BND item25
 BV BND item26
 BV BND item27
 BV BND item28
 BV BND item29
 BV BND item30
ENDATA
